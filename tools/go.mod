// The tools that CI runs on the code. They have a module of their own, so that none of their requirements can reach the product's go.mod.
module github.com/skua-browser/skua/tools

go 1.26.0

tool github.com/evanw/esbuild/cmd/esbuild

require (
	github.com/evanw/esbuild v0.28.2 // indirect
	golang.org/x/sys v0.48.0 // indirect
)
