// Bundle runs esbuild on the page scripts of the packages in the given folders and writes the bundles. With
// -check it writes nothing, and fails if a bundle is out of date.
package main
