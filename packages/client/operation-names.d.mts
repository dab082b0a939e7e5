/** `METHOD /path/{}` to `group.method`. */
export const operationNames: Readonly<Record<string, string>>;
