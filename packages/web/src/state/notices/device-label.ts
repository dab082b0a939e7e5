/** In this order: browsers name those before them, too. */
const browsers = [
  [/\bEdg/, "Edge"],
  [/\b(?:Firefox|FxiOS)\//, "Firefox"],
  [/\b(?:Headless)?(?:Chrome|CriOS)\//, "Chrome"],
  [/\bSafari\//, "Safari"],
] as const;
const systems = [/\bWindows\b/, /\bAndroid\b/, /\biPhone\b/, /\biPad\b/, /\bMac\b/, /\bLinux\b/];

/** The name of a device in the list of devices, as far as its browser reveals it: "Firefox, Windows". */
export function deviceLabel(userAgent: string): string | null {
  const browser = browsers.find(([sign]) => sign.test(userAgent))?.[1];
  const system = systems.flatMap((sign) => sign.exec(userAgent)?.[0] ?? [])[0];
  const known = [browser, system].filter((part) => part !== undefined);
  return known.length === 0 ? null : known.join(", ");
}
