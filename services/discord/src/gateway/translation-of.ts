import type { ClientEventName, EventPayload } from "@parley/contracts";
import type { Dispatch } from "./dispatch.js";
import type { Event, Translation } from "./translation.js";

/** The translation of an event of ours. */
export type Of<Name extends ClientEventName> = Translation<Event<EventPayload<Name>>>;
/** Gives a translation the type of its event. */
export const as = <Name extends ClientEventName>(translation: Of<Name>) => translation;
/** One dispatch about an object of a server. */
export const one = (t: string, d: object | undefined): Dispatch[] => (d === undefined ? [] : [{ t, d }]);
