import { ParleyError } from "@parley/client";
import { type ReactNode, type RefObject, useEffect, useRef, useState } from "react";
import { texts } from "../../texts/texts.js";
import { onForm } from "../../ui/data/form.js";
import { useAction } from "../../ui/data/use-action.js";
import { holdPage } from "../../ui/page/reload.js";

/** Faults of fields, by their names. */
export type Faults = Readonly<Record<string, string>>;

/**
 * The fault of the field that the server's answer names by its path, in the server's words; null for other errors.
 *
 * @param root name of the part of the request that has the fields
 */
export function faultsOf(error: unknown, root: string, names: readonly string[]): Faults | null {
  if (!(error instanceof ParleyError) || error.status !== 400) return null;
  const name = names.find((one) => error.text.startsWith(`${root}.${one}: `));
  return name === undefined ? null : { [name]: error.text.slice(`${root}.${name}: `.length) };
}

/** The fault of a text's length, in characters as the server counts them; undefined for none. */
export function lengthFault(
  text: string,
  { isRequired, min, max }: { isRequired: boolean; min: number | null; max: number },
): string | undefined {
  const labels = texts.apps.faults;
  if (text === "") return isRequired ? labels.required : undefined;
  const length = [...text].length;
  const least = min ?? 0;
  return length < least || length > max ? labels.length(least, max) : undefined;
}

/**
 * A form whose faults stand at its fields; the first one of these then has the focus. The page does not load itself again
 * meanwhile.
 */
export interface FaultyForm {
  ref: RefObject<HTMLFormElement | null>;
  onSubmit: ReturnType<typeof onForm>;
  faults: Faults;
  /** Any other error. */
  error: ReactNode;
  isBusy: boolean;
}

/**
 * Makes a {@link FaultyForm}.
 *
 * @param check finds faults before the page sends anything
 * @param root name of the part of the request that has the fields
 */
export function useFaultyForm({
  root,
  names,
  check,
  send,
}: {
  root: string;
  names: readonly string[];
  check: (form: FormData) => Faults;
  send: (form: FormData) => Promise<void>;
}): FaultyForm {
  const ref = useRef<HTMLFormElement>(null);
  useEffect(() => {
    return holdPage();
  }, []);
  const [faults, setFaults] = useState<Faults>({});
  const sending = useAction(async (form: FormData) => {
    const found = check(form);
    setFaults(found);
    if (Object.keys(found).length > 0) return;
    try {
      await send(form);
    } catch (error) {
      const named = faultsOf(error, root, names);
      if (named === null) throw error;
      setFaults(named);
    }
  });
  useEffect(() => {
    if (Object.keys(faults).length > 0) ref.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [faults]);
  return { ref, onSubmit: onForm(sending.run), faults, error: sending.error, isBusy: sending.isBusy };
}
