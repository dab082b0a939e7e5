/** The name of an endpoint as the API description has it; `path` has parameters as `:name`. */
export function operationId(method: string, path: string): string {
  const words = path
    .split("/")
    .filter((segment) => segment !== "")
    .map((segment) => (segment.startsWith(":") ? `by-${segment.slice(1)}` : segment.replace("@", "")));
  return [method, ...words].join("-").replaceAll("_", "-");
}
