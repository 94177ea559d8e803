package doctor

import (
	"bytes"
	"context"
	"encoding/json"
	"image"
	"image/color"
	_ "image/png" // what pictures are decoded with
	"runtime"
	"time"

	"github.com/skua-browser/skua/engine/capture"
)

// gpuScript paints a canvas red on the graphics card, and reads a pixel back.
const gpuScript = `(async () => {
	if (!navigator.gpu) return {error: "navigator.gpu is not there"};
	const adapter = await navigator.gpu.requestAdapter();
	if (!adapter) return {error: "there is no adapter"};
	const device = await adapter.requestDevice();
	const texture = device.createTexture({size: [64, 64], format: "rgba8unorm", usage: GPUTextureUsage.RENDER_ATTACHMENT | GPUTextureUsage.COPY_SRC});
	const buffer = device.createBuffer({size: 64 * 256, usage: GPUBufferUsage.COPY_DST | GPUBufferUsage.MAP_READ});
	const paint = (encoder, target) => encoder.beginRenderPass({
		colorAttachments: [{view: target.createView(), clearValue: {r: 1, g: 0, b: 0, a: 1}, loadOp: "clear", storeOp: "store"}],
	}).end();
	const reading = device.createCommandEncoder();
	paint(reading, texture);
	reading.copyTextureToBuffer({texture}, {buffer, bytesPerRow: 256}, [64, 64]);
	device.queue.submit([reading.finish()]);
	await buffer.mapAsync(GPUMapMode.READ);
	const pixel = [...new Uint8Array(buffer.getMappedRange(), 0, 4)];
	// Only then the canvas: a software renderer may crash.
	document.body.style.background = "#000";
	const canvas = document.createElement("canvas");
	canvas.width = canvas.height = 64;
	canvas.style.cssText = "position:fixed;inset:0;width:100vw;height:100vh";
	document.body.append(canvas);
	const context = canvas.getContext("webgpu");
	context.configure({device, format: "rgba8unorm", alphaMode: "opaque"});
	const showing = device.createCommandEncoder();
	paint(showing, context.getCurrentTexture());
	device.queue.submit([showing.finish()]);
	await new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)));
	return {pixel, adapter: [adapter.info?.vendor, adapter.info?.architecture].filter(Boolean).join(" ")};
})()`

// webGPU starts another browser, whose pages may use a graphics card or a software renderer.
func webGPU(ctx context.Context, o *Options) []Check {
	var l list
	if o.Headed && runtime.GOOS == "linux" && o.Getenv("DISPLAY") == "" && o.Getenv("WAYLAND_DISPLAY") == "" {
		l.add("webgpu.display", Fail, "There is no display for a window").
			todo("set DISPLAY or WAYLAND_DISPLAY; xvfb-run provides a virtual display")
		return l
	}
	t, err := start(ctx, o, !o.Headed, "--enable-unsafe-webgpu", "--enable-unsafe-swiftshader")
	if err != nil {
		l.add("webgpu.render", Fail, "The browser does not start: %s", message(err)).todo("%s",
			hintOr(err, "skua install chrome"))
		return l
	}
	defer func() { _ = t.end(ctx) }()
	value, err := t.page.Evaluate(ctx, gpuScript)
	var got struct {
		Error   string
		Pixel   []int
		Adapter string
	}
	if err == nil {
		err = json.Unmarshal(value.JSON, &got)
	}
	switch {
	case err != nil:
		l.add("webgpu.render", Fail, "WebGPU does not work: %v", err)
		return l
	case got.Error != "":
		l.add("webgpu.render", Fail, "WebGPU is not available: %s", got.Error).
			todo("use a full Chrome (`skua install chrome`) and its drivers")
		return l
	case len(got.Pixel) < 3 || got.Pixel[0] < 250 || got.Pixel[1] > 5:
		l.add("webgpu.render", Fail, "WebGPU paints the wrong colors: %v", got.Pixel)
		return l
	}
	l.add("webgpu.render", Pass, "WebGPU rendered and read back pixels in %.2fs (%s)", time.Since(t.began).Seconds(),
		got.Adapter)
	picture, err := capture.Screenshot(ctx, t.page, capture.ScreenshotOptions{})
	if err != nil {
		l.add("webgpu.screenshot", Fail, "No screenshot can be taken of WebGPU content: %v", err)
		return l
	}
	if c, err := colorOf(picture); err != nil || !isRed(c) {
		l.add("webgpu.screenshot", Warn, "Screenshots do not show WebGPU content (expected red, got rgb(%d,%d,%d))", c.R, c.G,
			c.B).
			todo("read pixels back in the page, or take screenshots of a window (--headed)")
		return l
	}
	l.add("webgpu.screenshot", Pass, "Screenshots show WebGPU content")
	return l
}

// colorOf is the color in the middle of a picture.
func colorOf(picture []byte) (color.RGBA, error) {
	m, _, err := image.Decode(bytes.NewReader(picture))
	if err != nil {
		return color.RGBA{}, err
	}
	bounds := m.Bounds()
	at := m.At((bounds.Min.X+bounds.Max.X)/2, (bounds.Min.Y+bounds.Max.Y)/2)
	return color.RGBAModel.Convert(at).(color.RGBA), nil //nolint:forcetypeassert // RGBAModel converts to nothing else
}

// isRed reports whether a color is the red of the trial page, or what a color profile makes of it.
func isRed(c color.RGBA) bool { return c.R >= 200 && c.G <= 50 && c.B <= 50 }
