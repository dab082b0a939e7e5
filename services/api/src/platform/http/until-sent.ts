/** Waits until an answer is written. A client that closes the connection before its end is no error. */
export async function untilSent(writing: Promise<void>): Promise<void> {
  try {
    await writing;
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ERR_STREAM_PREMATURE_CLOSE")) throw error;
  }
}
