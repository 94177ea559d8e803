// Package policy is what the owner of a session forbids, and how a question about it is answered: which actions an agent may take and
// which a person has to confirm ([Actions]), which folders files may come from and go to ([Roots]), and the bounded log of what was
// refused ([Log]).
//
// It decides, and does nothing: who asks acts on the verdict. It knows nothing of browsers, sessions or command lines.
package policy
