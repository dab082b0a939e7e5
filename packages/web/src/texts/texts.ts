import { english } from "./english.js";

/** Every text of the interface, in the language in use. A translation is an object of the same shape. */
export const texts = english;
