// Package home says where the files of a user are kept that outlive a host: saved states, logins, profiles, downloaded
// browsers. Sockets and what dies with a host are elsewhere, see session/wire/hostdir.
package home
