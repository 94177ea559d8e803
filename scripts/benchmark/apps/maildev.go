//go:build linux

package apps

import (
	"context"
	"encoding/json"
	"fmt"
	"net/smtp"
	"path/filepath"
	"slices"
)

// maildev shows the mails that a program under test has sent.
func maildev(a *App, folder string, port int) (launch, error) {
	second, err := freePort()
	a.second = second
	return launch{
		argv: []string{
			"node", filepath.Join(folder, "dist", "bin", "maildev.js"), "--smtp", fmt.Sprint(second), "--ip", "127.0.0.1",
			"--web", fmt.Sprint(port), "--web-ip", "127.0.0.1",
		},
		ready: "/api/email",
	}, err
}

// Mail is what MailDev keeps of a mail.
type Mail struct {
	Subject string `json:"subject"`
	Read    bool   `json:"read"`
}

// SendMails empties MailDev and sends it mails with these subjects, the first last, so that it is shown on top.
func (a *App) SendMails(ctx context.Context, subjects ...string) error {
	if _, err := a.ask(ctx, "DELETE", "/api/email/all", ""); err != nil {
		return err
	}
	for i, subject := range slices.Backward(subjects) {
		text := fmt.Sprintf("From: shop@shop.test\r\nTo: ann@shop.test\r\nSubject: %s\r\n\r\nHello Ann, the code is %d.\r\n",
			subject, 4170+i)
		if err := smtp.SendMail(fmt.Sprintf("127.0.0.1:%d", a.second), nil, "shop@shop.test", []string{"ann@shop.test"},
			[]byte(text)); err != nil {
			return err
		}
	}
	return nil
}

// Mails returns what MailDev has.
func (a *App) Mails(ctx context.Context) (mails []Mail, err error) {
	text, err := a.Get(ctx, "/api/email")
	if err == nil {
		err = json.Unmarshal([]byte(text), &mails)
	}
	return mails, err
}
