// Generate makes an Electron-shaped app in a folder, so that there is something to launch where no Electron app is installed:
//
//	go run ./testdata/electron/generate DIR [NAME]
//
// It prints the path of the app's executable.
package main

import (
	"context"
	"fmt"
	"os"

	electronapp "github.com/skua-browser/skua/testdata/electron"
)

func main() {
	if len(os.Args) < 2 || len(os.Args) > 3 || os.Args[1] == "" || os.Args[1][0] == '-' {
		fmt.Fprintln(os.Stderr, "usage: go run ./testdata/electron/generate DIR [NAME]")
		os.Exit(2)
	}
	o := electronapp.Options{Dir: os.Args[1]}
	if len(os.Args) == 3 {
		o.Name = os.Args[2]
	}
	app, err := electronapp.Generate(context.Background(), o)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Println(app.Executable)
}
