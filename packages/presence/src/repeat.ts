/**
 * Does the work again and again, a pause after each end, from now on until `stop`.
 *
 * @param work must not reject
 * @returns `stop` resolves when the work under way is done
 */
export function repeat(work: () => Promise<void>, pauseMs: number): { stop(): Promise<void> } {
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;
  let running = Promise.resolve();
  const round = () => {
    running = work().then(() => {
      if (!isStopped) timer = setTimeout(round, pauseMs);
    });
  };
  round();
  return {
    async stop() {
      isStopped = true;
      clearTimeout(timer);
      await running;
    },
  };
}
