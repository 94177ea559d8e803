package main

import (
	"fmt"
	"hash/fnv"
	"os/exec"
	"sync"
)

// testedWith identifies the browsers of this machine. It is part of the link flags of the test binaries, because go's
// test cache does not know the programs that a test starts: after a browser update the tests run again. Where dpkg does
// not know of browsers, use --fresh after an upgrade.
var testedWith = sync.OnceValue(func() string {
	// The error, of a system without dpkg or without one of the packages, tells nothing that the output does not.
	out, _ := exec.Command("dpkg-query", "--show", "chromium", "chromium-headless-shell", "chromium-driver").Output()
	h := fnv.New32a()
	_, _ = h.Write(out) // a hash takes everything
	return fmt.Sprintf("%08x", h.Sum32())
})
