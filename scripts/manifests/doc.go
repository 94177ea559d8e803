// Manifests writes what tells other programs what skua is.
//
//	go run ./scripts/manifests                   the plugin of Claude Code, its marketplace, server.json: files of the repository
//	go run ./scripts/manifests -check            fails if one of them is not as it would be written
//	go run ./scripts/manifests mcpb -programs bin -o skua.mcpb [-os linux] [-version 1.2.3]
//	go run ./scripts/manifests server -version 1.2.3 -o server.json [-bundle URL=SHA256]...
//
// The package must not know what the manifests say.
package main
