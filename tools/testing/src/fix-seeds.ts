import fc from "fast-check";
import { seed } from "./seed.js";

// A setup file of every test file: properties are tried with the same values in every run, unless it has a seed of its own.
fc.configureGlobal({ seed });
