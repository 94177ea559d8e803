// A description of our own in place of one that would come from elsewhere.
const parameter = (name, where, type) => ({name, in: where, required: where === 'path', schema: {type}, description: `The ${name} of the order`});
const operation = (summary, ...parameters) => ({
	tags: ['orders'], summary, parameters, responses: {200: {description: 'It is done'}, 404: {description: 'No such order'}},
});
window.onload = () => {
	window.ui = SwaggerUIBundle({
		dom_id: '#swagger-ui', deepLinking: true, layout: 'StandaloneLayout', docExpansion: 'list', presets: [SwaggerUIBundle.presets.apis, SwaggerUIStandalonePreset],
		spec: {
			openapi: '3.0.3', info: {title: 'Orders', version: '1.2.0', description: 'Orders of a small shop: list, read, change and cancel them.'}, servers: [{url: '/v1'}],
			tags: [{name: 'orders', description: 'Everything about orders'}, {name: 'stock', description: 'What is on the shelves'}],
			paths: {
				'/orders': {get: operation('List orders', parameter('state', 'query', 'string'), parameter('limit', 'query', 'integer')), post: operation('Place an order')},
				'/orders/{id}': {get: operation('Read an order', parameter('id', 'path', 'integer')), patch: operation('Change an order', parameter('id', 'path', 'integer')), delete: operation('Cancel an order', parameter('id', 'path', 'integer'))},
				'/stock': {get: {...operation('What is in stock'), tags: ['stock']}, put: {...operation('Count again'), tags: ['stock'], deprecated: true}},
			},
		},
	});
};
