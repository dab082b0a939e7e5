/**
 * Does the work again and again, a pause after each end, from now on until it is stopped.
 *
 * @param work must not reject
 * @returns stops it; resolves when the work under way is done
 */
export function repeat(work: () => Promise<void>, pauseMs: number): () => Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;
  let running = Promise.resolve();
  const round = () => {
    running = work().then(() => {
      if (!isStopped) timer = setTimeout(round, pauseMs).unref();
    });
  };
  round();
  return async () => {
    isStopped = true;
    clearTimeout(timer);
    await running;
  };
}
