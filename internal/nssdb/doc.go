// Package nssdb writes the database in which NSS, and so Chromium on Linux, keeps the certificates of authorities that
// a user trusts. It writes a new one, which holds nothing else, so that neither certutil nor the user's own database is
// needed. What is written is an SQLite file with one table; NSS makes the other files of such a database when it opens
// this one.
package nssdb
