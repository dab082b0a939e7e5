import { codePointLength, invalidInput, isStorableText, type Modal, modalLimits } from "@parley/contracts";
import { faultText } from "../../platform/http/named-faults.js";

/** Checks the filled fields of a modal. @throws ServiceError 400 that names the first fault by its path */
export function checkFields({ fields }: Modal, texts: Readonly<Record<string, unknown>>): Record<string, string> {
  const unknown = Object.keys(texts).find((id) => !fields.some((field) => field.id === id));
  if (unknown !== undefined) throw fault(unknown, "is no field of the modal");
  const checked: Record<string, string> = {};
  for (const { id, required, min_length, max_length } of fields) {
    const text = texts[id] ?? "";
    if (typeof text !== "string" || text.length > 2 * modalLimits.text || !isStorableText(text)) {
      throw fault(id, "must be a text");
    }
    if (text === "" && !required) {
      checked[id] = "";
      continue;
    }
    const length = codePointLength(text);
    const least = Math.max(min_length ?? 0, required ? 1 : 0);
    const most = max_length ?? modalLimits.text;
    if (length < least || length > most) throw fault(id, `must be ${least}-${most} characters`);
    checked[id] = text;
  }
  return checked;
}

const fault = (id: string, text: string) => invalidInput(faultText("fields", [id], text));
