import { solveChallenge } from "altcha-lib";
import type { Challenge } from "altcha-lib/types";

/** Answers a challenge with the text that requests carry, or null for one that has no solution. */
addEventListener("message", async ({ data }: MessageEvent<Challenge>) => {
  const { algorithm, challenge, salt, signature, maxnumber } = data;
  const solution = await solveChallenge(challenge, salt, algorithm, maxnumber).promise;
  postMessage(solution && btoa(JSON.stringify({ algorithm, challenge, salt, signature, number: solution.number })));
});
