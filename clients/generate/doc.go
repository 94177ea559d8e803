// Generate writes the generated files of the client libraries: go run ./clients/generate, in the top folder.
// scripts/clients runs it.
package main
