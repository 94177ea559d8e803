package task

// Irrevocable reports whether the name of a control reads as if what it does could not be taken back: it pays, sends, deletes or orders.
func Irrevocable(label string) bool { return irrevocable(label) }

// Sends reports whether a form of this purpose sends what cannot be taken back: an order, a payment, a message.
func Sends(purpose string) bool { return sending[purpose] }
