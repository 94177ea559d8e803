package skill

import (
	"github.com/skua-browser/skua/copilot/goal"
	"github.com/skua-browser/skua/copilot/pcd"
	"github.com/skua-browser/skua/copilot/toolbox"
)

// login logs in: by a form with a name and a password, by one page for each, or by a code behind them.
type login struct {
	Username string `json:"username,omitempty"`
	Password string `json:"password,omitempty"`
	OTP      string `json:"otp,omitempty"`
}

func loginSkill() Skill {
	return define[login](Skill{
		Name: "login",
		Verb: goal.Login,
		About: "Log in, on one page or on one page for each of name, password and code. The page alone sees the password " +
			"and the code.",
		Params: []Param{
			{Name: "username", Kind: Text, About: "the user name or e-mail address; that of the vault's login without it"},
			{Name: "password", Kind: Secret, About: "vault:LOGIN, or the name of the grant that holds the password"},
			{Name: "otp", Kind: Secret, About: "vault:LOGIN.otp, or the name of the grant that holds the one-time code"},
		},
		Ends:     "the page knows the user, or the login form is gone without a complaint",
		Confirms: "a secret of a grant; a login of the vault is typed on the origins that it was saved for",
		Effects:  []Effect{Changes, Navigates, Sends},
		Examples: []string{`{"password":"vault:shop"}`, `{"username":"ann","password":"password"}`},
	}, func(*login) error { return nil })
}

func (p *login) wants() []Want {
	return []Want{{Slot: "form", Text: "login|sign in|username|password|anmelden"}}
}

func (p *login) values() map[string]string {
	if p.Username == "" {
		return nil
	}
	return map[string]string{"username": p.Username}
}

const (
	credentialsStage = "credentials"
	codeStage        = "code"
	revealStage      = "reveal"
)

// loggedIn is the goal of a login. An error message beside the form does not meet it.
const loggedIn = "login:in or no:(form:login or form:otp)"

func (p *login) match(page *pcd.Summary) []Match {
	if page.LoginState == pcd.LoggedIn {
		return nil
	}
	var all []Match
	for _, f := range usableForms(page, pcd.PurposeOTP) {
		if field, ok := codeField(f); ok && len(f.FramePath) == 0 {
			m := matched(codeStage, 0.95*f.Landmark.Weight(), "the page asks for a code", map[string]string{"code": field.ID})
			p.send(page, f, &m)
			if p.OTP == "" {
				m.Missing = append(m.Missing, "otp")
			}
			all = append(all, m)
		}
	}
	for _, f := range usableForms(page, pcd.PurposeLogin) {
		if m, ok := p.credentials(page, f); ok {
			all = append(all, m)
		}
	}
	if len(all) == 0 {
		for _, f := range usableForms(page, "") {
			if m, ok := p.credentials(page, f); ok && asksName(page, f) {
				m.Confidence *= 0.7
				all = append(all, m)
			}
		}
	}
	if len(all) > 0 {
		return all
	}
	for _, a := range usableActions(page, ofKind(pcd.KindLogin)) {
		if len(a.FramePath) > 0 || a.CollectionID != "" {
			continue
		}
		confidence := 0.7 * a.Landmark.Weight()
		if !sameSite(page, a.URL) {
			confidence *= 0.5
		}
		all = append(all, matched(revealStage, confidence, "a way to the login", map[string]string{"login": a.ID}))
	}
	return all
}

// asksName reports whether a form is the first page of a login: it asks for a user's name alone, on a page that says
// that it is about logging in.
func asksName(page *pcd.Summary, f pcd.Form) bool {
	seen := 0
	name := false
	for _, field := range f.Fields {
		if field.Unseen || field.ID == "" || field.Type == "checkbox" || field.Type == "submit" {
			continue
		}
		seen++
		name = name || meansSame(field.Label, "username") || meansSame(field.Label, "email") ||
			meansSame(field.Name, "username")
	}
	return seen == 1 && name &&
		saysAny(page.Title+" | "+f.Label+" | "+f.SubmitLabel,
			[]string{"log in", "login", "sign in", "log on", "anmelden", "einloggen"})
}

// credentials fits the login to a form. A form in a frame gets nothing: whose it is cannot be seen on the page.
func (p *login) credentials(page *pcd.Summary, f pcd.Form) (Match, bool) {
	if len(f.FramePath) > 0 {
		return Match{}, false
	}
	user, password, ok := credentialFields(f)
	if !ok {
		return Match{}, false
	}
	m := matched(credentialsStage, 0.95*f.Landmark.Weight(), "a login form", map[string]string{})
	if user.ID != "" {
		m.Slots["username"] = user.ID
		if p.Username == "" {
			m.Missing = append(m.Missing, "username")
		}
	}
	if password.ID != "" {
		m.Slots["password"] = password.ID
		if p.Password == "" {
			m.Missing = append(m.Missing, "password")
		}
	}
	if code, ok := codeField(f); ok && code.ID != user.ID && p.OTP != "" {
		m.Slots["code"] = code.ID
	}
	p.send(page, f, &m)
	return m, true
}

func (p *login) send(page *pcd.Summary, f pcd.Form, m *Match) {
	m.Slots["form"] = f.ID
	if id, _, ok := submitOf(page, f); ok {
		m.Slots["submit"] = id
	}
	m.IDs = ids(m.Slots)
}

// credentialFields are the fields of a login form that a person sees: the first text before the password, and the
// password. A form with two passwords is for
// something else.
func credentialFields(f pcd.Form) (user, password pcd.Field, ok bool) {
	for _, field := range f.Fields {
		switch {
		case field.Unseen || field.ID == "":
		case field.Type == "password":
			if password.ID != "" {
				return user, password, false
			}
			password = field
		case user.ID == "" && password.ID == "" && !field.Secret &&
			(field.Type == "text" || field.Type == "email" || field.Type == "tel" || field.Type == "textbox"):
			user = field
		}
	}
	return user, password, user.ID != "" || password.ID != ""
}

var codeWords = []string{"code", "otp", "one time", "2fa", "token", "einmalcode", "bestätigungscode", "authenticator"}

// codeField is the field for a one-time code.
func codeField(f pcd.Form) (pcd.Field, bool) {
	var first pcd.Field
	for _, field := range f.Fields {
		if field.Unseen || field.ID == "" || field.Type == "checkbox" || field.Type == "hidden" {
			continue
		}
		if saysAny(field.Label, codeWords) || saysAny(field.Name, codeWords) {
			return field, true
		}
		if first.ID == "" {
			first = field
		}
	}
	return first, f.Purpose == pcd.PurposeOTP && first.ID != ""
}

func (p *login) plan(b Binding) []toolbox.Step {
	if b.stage == revealStage {
		return []toolbox.Step{click(b.Details["login"], labelOf(b.page, b.Slots["login"]), toolbox.Low), settle()}
	}
	f := formOf(b)
	var steps []toolbox.Step
	if d, ok := b.Details["username"]; ok {
		steps = append(steps, typing(d, fieldLabel(f, d.ID), p.Username))
	}
	if d, ok := b.Details["password"]; ok {
		steps = append(steps, secretly(d, fieldLabel(f, d.ID), p.Password))
	}
	if d, ok := b.Details["code"]; ok {
		steps = append(steps, secretly(d, fieldLabel(f, d.ID), p.OTP))
	}
	return append(steps, sending(b, f, toolbox.Medium), settle())
}

func (p *login) checks(b Binding) []Check {
	switch {
	case b.stage == revealStage:
		return []Check{{Name: "there is a login form", Kind: SawPage, Goal: "form:login or form:otp", Part: true}}
	case b.stage == credentialsStage && b.Slots["password"] == "":
		return []Check{{
			Name:    "the page asks for the password",
			Kind:    SawPage,
			Goal:    loggedIn + " or form:login or form:otp",
			Changed: true,
			Part:    true,
		}}
	case b.stage == credentialsStage && p.OTP != "" && b.Slots["code"] == "":
		return []Check{{
			Name: "the page asks for the code, or knows the user",
			Kind: SawPage,
			Goal: loggedIn + " or form:otp",
			Part: true,
		}}
	}
	return []Check{{Name: "the login form is gone", Kind: SawLogin, Goal: loggedIn}}
}

func formOf(b Binding) pcd.Form {
	for _, f := range b.page.Forms {
		if f.ID == b.Slots["form"] {
			return f
		}
	}
	return pcd.Form{}
}

func fieldLabel(f pcd.Form, id string) string {
	for _, field := range f.Fields {
		if field.ID == id {
			return field.Label
		}
	}
	return id
}

func labelOf(page *pcd.Summary, id string) string {
	for _, a := range page.Actions {
		if a.ID == id {
			return a.Label
		}
	}
	return id
}
