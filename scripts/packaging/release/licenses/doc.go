// Package licenses collects the licenses of what the programs contain beside the project's own code: the modules that a
// program's build information names, with the license files around those of their packages that are linked; Go itself;
// axe-core, which is beside the programs; and the npm packages of which the dashboard's page is made.
package licenses
