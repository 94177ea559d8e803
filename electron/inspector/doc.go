// Package inspector works in the main process of an Electron app, over the inspector of its Node.js: it runs scripts
// there, and reads what a debugging port does not tell, such as which windows a person sees.
//
// The protocol is that of Chromium, so that engine/cdp carries it. A [Process] is a connection for one question or a
// few: an app that ends waits for those that inspect it. The package must not know sessions or commands.
package inspector
