// Package pagetext bounds the text that pages write: titles, messages, addresses. Whatever keeps or reports such a text
// cuts it here.
package pagetext
