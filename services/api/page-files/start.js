const description = SwaggerUIBundle({
  url: "openapi.yaml",
  dom_id: "#description",
  deepLinking: true,
  // The list beside it shows every operation.
  docExpansion: "none",
});

// Swagger UI reads the address once, when it starts.
addEventListener("hashchange", () => description.layoutActions.parseDeepLinkHash(decodeURIComponent(location.hash)));
