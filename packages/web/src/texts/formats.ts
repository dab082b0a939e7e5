const byteUnits = ["byte", "kilobyte", "megabyte", "gigabyte", "terabyte"] as const;

/** How a language writes times, numbers, sizes and lists. */
export function formatsOf(locale: string) {
  const times = (options: Intl.DateTimeFormatOptions) => {
    const format = onUse(() => new Intl.DateTimeFormat(locale, options));
    return (timestamp: string): string => format().format(new Date(timestamp));
  };
  const numbers = (options: Intl.NumberFormatOptions = {}) => {
    const format = onUse(() => new Intl.NumberFormat(locale, options));
    return (value: number): string => format().format(value);
  };
  const sizes = byteUnits.map((unit) =>
    numbers({ style: "unit", unit, unitDisplay: unit === "byte" ? "long" : "short", maximumFractionDigits: 1 }),
  );
  const size = (count: number, unit: number): string => {
    const power = Math.floor(Math.log(Math.max(1, count)) / Math.log(unit) + 1e-9);
    const shown = Math.min(sizes.length - 1, power);
    return sizes[shown]?.(count / unit ** shown) ?? "";
  };
  const lists = onUse(() => new Intl.ListFormat(locale, { type: "unit", style: "short" }));
  const languages = onUse(() => new Intl.DisplayNames(locale, { type: "language" }));
  return {
    /** The name of a language, by its code. */
    languageName: (code: string): string => languages().of(code) ?? code,
    /** The time of day. */
    clock: times({ timeStyle: "short" }),
    shortDay: times({ dateStyle: "short" }),
    day: times({ dateStyle: "medium" }),
    fullDay: times({ dateStyle: "full" }),
    moment: times({ dateStyle: "medium", timeStyle: "short" }),
    fullMoment: times({ dateStyle: "full", timeStyle: "short" }),
    number: numbers(),
    /** Takes a fraction: 0.5 is 50 %. */
    percent: numbers({ style: "percent" }),
    milliseconds: numbers({ style: "unit", unit: "millisecond" }),
    seconds: numbers({ style: "unit", unit: "second", unitDisplay: "long" }),
    wholeMinutes: numbers({ style: "unit", unit: "minute", unitDisplay: "long" }),
    wholeHours: numbers({ style: "unit", unit: "hour", unitDisplay: "long" }),
    days: numbers({ style: "unit", unit: "day", unitDisplay: "long" }),
    minutes: numbers({ style: "unit", unit: "minute" }),
    hours: numbers({ style: "unit", unit: "hour", maximumFractionDigits: 1 }),
    /** A size in bytes, in the unit that keeps it short. */
    bytes: (count: number): string => size(count, 1024),
    /** The same with units that are powers of 1000. */
    storage: (count: number): string => size(count, 1000),
    /** Things one after the other. */
    list: (parts: readonly string[]): string => lists().format(parts),
  };
}

/** The formats of a language. */
export type Formats = ReturnType<typeof formatsOf>;

/** A format is made when it is first used: each takes a millisecond, and the first screen needs few. */
function onUse<Format>(make: () => Format): () => Format {
  let made: Format | null = null;
  return () => {
    made ??= make();
    return made;
  };
}
