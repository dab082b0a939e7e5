import { afterAll, afterEach } from "vitest";
import { undescribedFrames } from "./undescribed-frames.js";

// A setup file of every test file: a test during which a client received a frame that the description of the gateway
// does not allow fails.
const problems: string[] = [];
const keep = (problem: unknown) => void problems.push(String(problem));
undescribedFrames.subscribe(keep);

function failOnProblems(): void {
  const found = problems.splice(0);
  if (found.length > 0) throw new Error(`Frames break the description of the gateway:\n${found.join("\n")}`);
}
afterEach(failOnProblems);
afterAll(() => {
  undescribedFrames.unsubscribe(keep);
  failOnProblems();
});
