const fromNobody = "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** Content-Security-Policy of pages without scripts. */
export const staticPagePolicy = `default-src 'none'; style-src 'self'; ${fromNobody}`;

/** Content-Security-Policy of the page with the search. */
export const filterPagePolicy = `default-src 'none'; script-src 'self'; style-src 'self'; ${fromNobody}`;

/** Content-Security-Policy of the page of Swagger UI, which styles its elements itself. */
export const swaggerPolicy = `default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; ${fromNobody}`;
