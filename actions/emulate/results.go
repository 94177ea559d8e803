package emulate

// The data of the replies: what the page was seen to believe, where it can be asked.

// Place is where the page believes that it is, in degrees and meters. All are null when it is asked to find out by
// itself.
type Place struct {
	Accuracy  *float64 `json:"accuracy,omitempty"`
	Latitude  *float64 `json:"latitude"`
	Longitude *float64 `json:"longitude"`
}

// Media is the medium and the features that style sheets see.
type Media struct {
	Features map[string]string `json:"features"`
	Media    string            `json:"media"`
	Set      bool              `json:"set"`
}

// Timezone is a name of the tz database.
type Timezone struct {
	Timezone string `json:"timezone"`
}

// Locale is the language of the page's formats, and those that it prefers.
type Locale struct {
	Languages []string `json:"languages"`
	Locale    string   `json:"locale"`
}

// UserAgent is what the browser calls itself.
type UserAgent struct {
	UserAgent string `json:"userAgent"`
}

// Permissions are names with the setting that they have now, or say that all are as the browser has them.
type Permissions struct {
	Permissions []string `json:"permissions,omitempty"`
	Reset       bool     `json:"reset,omitempty"`
	Setting     string   `json:"setting,omitempty"` // granted, denied or prompt
}

// CPU is how many times slower the page runs.
type CPU struct {
	Rate float64 `json:"rate"`
}

// Viewport is in CSS pixels, and how many device pixels one of them has.
type Viewport struct {
	DeviceScaleFactor float64 `json:"deviceScaleFactor"`
	Height            int     `json:"height"`
	Mobile            bool    `json:"mobile"`
	Width             int     `json:"width"`
}

// Device is the device that pages are shown as; null: none.
type Device struct {
	Device *string `json:"device"`
	Viewport
	Touch     *bool  `json:"touch,omitempty"`
	UserAgent string `json:"userAgent,omitempty"`
}

// DeviceNames are the devices that pages can be shown as.
type DeviceNames struct {
	Devices []string `json:"devices"`
}

// Simulators are the simulators of iOS that Xcode has.
type Simulators struct {
	Devices []Simulator `json:"devices"`
}

// Simulator is one of them.
type Simulator struct {
	Name    string `json:"name"`
	UDID    string `json:"udid"`
	State   string `json:"state"`
	Runtime string `json:"runtime"`
}
