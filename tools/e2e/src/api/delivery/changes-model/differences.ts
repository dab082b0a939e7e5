/** The differences of two values: each place as its path with both values. */
export function differences(own: unknown, fresh: unknown, path = ""): string[] {
  if (isRecord(own) && isRecord(fresh)) {
    const keys = [...new Set([...Object.keys(own), ...Object.keys(fresh)])];
    return keys.flatMap((key) => differences(own[key], fresh[key], path === "" ? key : `${path}.${key}`));
  }
  const [one, other] = [JSON.stringify(own), JSON.stringify(fresh)];
  return one === other ? [] : [`${path}: the client has ${one}, a fresh read gives ${other}`];
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}
