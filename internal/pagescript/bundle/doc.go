// Bundle writes the bundles of the page scripts of the packages in the given folders. With -check it writes nothing and fails when a bundle
// is not what esbuild makes of its sources now.
package main
