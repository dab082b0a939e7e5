import { ascending, clockMs, sendSteadily } from "./measure.js";
import { createPoster } from "./poster.js";

const perSecond = 50;

/**
 * People who write to a channel at a steady rate while something else happens.
 *
 * @returns sends until something has happened, and returns the ascending times until their messages were answered, in milliseconds
 */
export function createOthers(
  url: string,
  { channelId, headers }: { channelId: string; headers: Record<string, string> },
) {
  const post = createPoster(url);
  return async (isDone: () => boolean): Promise<Float64Array> => {
    const postMs: number[] = [];
    await sendSteadily({ perSecond, isDone }, async () => {
      const from = clockMs();
      await post(`/channels/${channelId}/messages`, { content: "of others" }, headers);
      postMs.push(clockMs() - from);
    });
    return ascending(postMs);
  };
}
