import { afterAll, afterEach } from "vitest";
import { undescribedFrames } from "./undescribed-frames.js";

// A setup file of every test file: a test during which a client received a frame that the description of the gateway
// does not allow fails.
const problems: string[] = [];
undescribedFrames.subscribe((problem) => problems.push(String(problem)));

function failOnProblems(): void {
  const found = problems.splice(0);
  if (found.length > 0) throw new Error(`Frames break the description of the gateway:\n${found.join("\n")}`);
}
afterEach(failOnProblems);
afterAll(failOnProblems);
