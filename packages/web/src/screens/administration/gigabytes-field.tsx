import type { ReactNode } from "react";
import { numberOrNull } from "../../ui/data/form.js";
import { TextField } from "../../ui/forms/field.js";

/** As docs/protocol/storage.md#34.3 counts. */
const gigabyte = 1_000_000_000;

/** A number of bytes, which is typed in gigabytes; empty for null. */
export function GigabytesField({
  bytes,
  ...props
}: {
  label: string;
  hint?: ReactNode;
  name: string;
  bytes: number | null;
}) {
  return (
    <TextField
      {...props}
      type="number"
      inputMode="decimal"
      min={0}
      max={1_000_000}
      step="any"
      defaultValue={bytes === null ? "" : bytes / gigabyte}
    />
  );
}

/** The bytes in a field of {@link GigabytesField}. */
export function gigabytesIn(form: FormData, name: string): number | null {
  const typed = numberOrNull(form, name);
  return typed === null ? null : Math.round(typed * gigabyte);
}
