//go:build linux

package apps

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"
)

// swagger serves Swagger UI with an interface of an orders book behind it.
func swagger(folder, _ string) (*App, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	book := &orders{}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /swagger-initializer.js", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/javascript")
		_, _ = io.WriteString(w,
			"window.onload = () => { window.ui = SwaggerUIBundle({url: '/openapi.json', dom_id: '#swagger-ui', deepLinking: "+
				"true, validatorUrl: null, presets: [SwaggerUIBundle.presets.apis, SwaggerUIStandalonePreset], layout: "+
				"'StandaloneLayout'}); };")
	})
	mux.HandleFunc("GET /openapi.json", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, orderInterface)
	})
	mux.HandleFunc("POST /orders", book.add)
	mux.HandleFunc("GET /orders", book.list)
	mux.HandleFunc("GET /orders/{customer}", book.find)
	mux.Handle("GET /", http.FileServer(http.Dir(folder)))
	server := &http.Server{Handler: mux, ReadHeaderTimeout: time.Minute}
	served := make(chan struct{})
	go func() { // ends with stop, which waits for it
		defer close(served)
		_ = server.Serve(listener)
	}()
	return &App{Name: "swagger-ui", Base: "http://" + listener.Addr().String(), stop: func() {
		_ = server.Close()
		<-served
	}}, nil
}

// Order is an order in the order book. Seen counts how often it was looked up.
type Order struct {
	Customer string `json:"customer"`
	Item     string `json:"item"`
	Seen     int    `json:"seen"`
}

type orders struct {
	mu  sync.Mutex
	all []Order
}

func (o *orders) add(w http.ResponseWriter, r *http.Request) {
	var one Order
	if err := json.NewDecoder(io.LimitReader(r.Body, 1<<16)).Decode(&one); err != nil || one.Customer == "" {
		http.Error(w, fmt.Sprintf("an order has a customer and an item: %v", err), http.StatusBadRequest)
		return
	}
	o.mu.Lock()
	o.all = append(o.all, one)
	o.mu.Unlock()
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(http.StatusCreated)
	_ = json.NewEncoder(w).Encode(one)
}

func (o *orders) list(w http.ResponseWriter, _ *http.Request) {
	o.mu.Lock()
	defer o.mu.Unlock()
	_ = json.NewEncoder(w).Encode(o.all)
}

func (o *orders) find(w http.ResponseWriter, r *http.Request) {
	o.mu.Lock()
	defer o.mu.Unlock()
	at := slices.IndexFunc(o.all, func(one Order) bool { return one.Customer == r.PathValue("customer") })
	if at < 0 {
		http.Error(w, "no such order", http.StatusNotFound)
		return
	}
	o.all[at].Seen++
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(o.all[at])
}

// AddOrder puts an order into the book.
func (a *App) AddOrder(ctx context.Context, customer, item string) error {
	body, err := json.Marshal(Order{Customer: customer, Item: item})
	if err == nil {
		_, err = a.ask(ctx, http.MethodPost, "/orders", string(body))
	}
	return err
}

// Orders returns the orders of a customer.
func (a *App) Orders(ctx context.Context, customer string) (found []Order, err error) {
	body, err := a.Get(ctx, "/orders")
	if err != nil {
		return nil, err
	}
	err = json.NewDecoder(strings.NewReader(body)).Decode(&found)
	return slices.DeleteFunc(found, func(one Order) bool { return one.Customer != customer }), err
}

const orderInterface = `{
	"openapi": "3.0.3", "info": {"title": "Orders", "version": "1.0"},
	"paths": {
		"/orders": {
			"get": {"tags": ["orders"], "summary": "List all orders", "responses": {"200": {"description": "All orders"}}},
			"post": {"tags": ["orders"], "summary": "Add an order", "requestBody": {"required": true, "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Order"}}}},
				"responses": {"201": {"description": "The order"}, "400": {"description": "Not an order"}}}
		},
		"/orders/{customer}": {
			"get": {"tags": ["orders"], "summary": "Look up the order of a customer",
				"parameters": [{"name": "customer", "in": "path", "required": true, "schema": {"type": "string"}}],
				"responses": {"200": {"description": "The order"}, "404": {"description": "No such order"}}}
		}
	},
	"components": {"schemas": {"Order": {"type": "object", "properties": {"customer": {"type": "string"}, "item": {"type": "string"}}}}}
}`
