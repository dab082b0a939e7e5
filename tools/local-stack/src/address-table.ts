/** One line of the table. */
export interface AddressRow {
  readonly name: string;
  readonly address: string;
}

/** The addresses of a running stack as text: names left, addresses right, the last row last. */
export function formatAddressTable(rows: readonly AddressRow[]): string {
  const width = Math.max(...rows.map(({ name }) => name.length));
  return rows.map(({ name, address }) => `  ${name.padEnd(width)}  ${address}`).join("\n");
}

/** A URL without the password in it; what is no URL is returned as it is. */
export function withoutPassword(url: string): string {
  if (!URL.canParse(url)) return url;
  const parsed = new URL(url);
  parsed.password = "";
  return parsed.toString();
}
