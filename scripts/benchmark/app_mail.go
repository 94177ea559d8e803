//go:build linux

package main

import (
	"context"
	"fmt"
	"slices"

	"github.com/skua-browser/skua/scripts/benchmark/apps"
)

// mailFlows returns the flows in MailDev, which shows what a program under test has sent.
func mailFlows() []flow {
	return []flow{
		{
			name:    "mail",
			title:   "MailDev: open a mail, read a code in it",
			app:     "maildev",
			prepare: threeMails,
			run:     readMail,
			check:   mailIs(true, "Your parcel"),
		},
		{
			name:    "unwanted",
			title:   "MailDev: delete a mail",
			app:     "maildev",
			prepare: threeMails,
			run:     deleteMail,
			check:   mailsAre("Invoice 7", "Newsletter"),
		},
	}
}

func threeMails(ctx context.Context, a *agent) error {
	return a.app.SendMails(ctx, "Invoice 7", "Your parcel", "Newsletter")
}

func (a *agent) openMail(ctx context.Context) error {
	return inTurn(
		func() error { return a.openApp(ctx, a.app.Base, "Your parcel") },
		func() error { return a.seeOnWish(ctx, "click", wish{roles: "button|link", name: "Your parcel"}) },
	)
}

func readMail(ctx context.Context, a *agent) error {
	return inTurn(
		func() error { return a.openMail(ctx) },
		func() error { return a.reads(ctx, "the code is 4171.", "get", "text", "body") },
	)
}

func deleteMail(ctx context.Context, a *agent) error {
	remove := wish{roles: "button", name: "(?i)^(confirm )?delete email$"}
	return inTurn(
		func() error { return a.openMail(ctx) },
		func() error { return a.seeOnWish(ctx, "click", remove) },
	)
}

func mailIs(read bool, subject string) func(context.Context, *agent) error {
	return func(ctx context.Context, a *agent) error {
		return eventually(ctx, func() error {
			mails, err := a.app.Mails(ctx)
			if err == nil && !slices.Contains(mails, apps.Mail{Subject: subject, Read: read}) {
				err = fmt.Errorf("%q is not read: %v", subject, mails)
			}
			return err
		})
	}
}

func mailsAre(subjects ...string) func(context.Context, *agent) error {
	return func(ctx context.Context, a *agent) error {
		return eventually(ctx, func() error {
			mails, err := a.app.Mails(ctx)
			if err != nil {
				return err
			}
			var have []string
			for _, one := range mails {
				have = append(have, one.Subject)
			}
			slices.Sort(have)
			return same("the mails", fmt.Sprint(have), fmt.Sprint(subjects))
		})
	}
}
