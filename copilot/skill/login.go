package skill

import (
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
		Name:  "login",
		About: "Log in. The password and the code are names of grants: their values are only seen by the page.",
		Schema: `"username":{"type":"string","description":"the user name or e-mail address"},` +
			`"password":{"type":"string","description":"the name of the grant that holds the password"},` +
			`"otp":{"type":"string","description":"the name of the grant that holds the one-time code"}`,
	}, func(*login) error { return nil })
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
			m := matched(codeStage, 0.95*where(f.Landmark), "the page asks for a code", map[string]string{"code": field.ID})
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
	if len(all) > 0 {
		return all
	}
	for _, a := range usableActions(page, ofKind(pcd.KindLogin)) {
		if len(a.FramePath) > 0 || a.CollectionID != "" {
			continue
		}
		confidence := 0.7 * where(a.Landmark)
		if !sameSite(page, a.URL) {
			confidence *= 0.5
		}
		all = append(all, matched(revealStage, confidence, "a way to the login", map[string]string{"login": a.ID}))
	}
	return all
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
	m := matched(credentialsStage, 0.95*where(f.Landmark), "a login form", map[string]string{})
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

// credentialFields are the fields of a login form that a person sees: the first text before the password, and the password. With two passwords it is no
// login.
func credentialFields(f pcd.Form) (user, password pcd.Field, ok bool) {
	for _, field := range f.Fields {
		switch {
		case field.Unseen || field.ID == "":
		case field.Type == "password":
			if password.ID != "" {
				return user, password, false
			}
			password = field
		case user.ID == "" && password.ID == "" && !field.Secret && (field.Type == "text" || field.Type == "email" || field.Type == "tel" || field.Type == "textbox"):
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
		return []Check{{Name: "the page asks for the password", Kind: SawPage, Goal: loggedIn + " or form:login or form:otp", Changed: true, Part: true}}
	case b.stage == credentialsStage && p.OTP != "" && b.Slots["code"] == "":
		return []Check{{Name: "the page asks for the code, or knows the user", Kind: SawPage, Goal: loggedIn + " or form:otp", Part: true}}
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
