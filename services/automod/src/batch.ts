interface Waiting<Question, Answer> {
  question: Question;
  resolve: (answer: Answer) => void;
  reject: (error: unknown) => void;
}

/** Gathers questions that arrive while earlier ones are being answered, so that one statement answers many. */
export class Batch<Question, Answer> {
  readonly #answerAll: (questions: readonly Question[]) => Promise<readonly Answer[]>;
  readonly #inFlightMax: number;
  readonly #batchMax: number;
  #waiting: Waiting<Question, Answer>[] = [];
  #inFlight = 0;

  /** @param options.answerAll answers in the order of the questions */
  constructor(options: {
    answerAll: (questions: readonly Question[]) => Promise<readonly Answer[]>;
    inFlightMax: number;
    batchMax: number;
  }) {
    this.#answerAll = options.answerAll;
    this.#inFlightMax = options.inFlightMax;
    this.#batchMax = options.batchMax;
  }

  ask(question: Question): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ question, resolve, reject });
      this.#start();
    });
  }

  #start(): void {
    while (this.#inFlight < this.#inFlightMax && this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0, this.#batchMax);
      this.#inFlight += 1;
      void this.#answer(batch).finally(() => {
        this.#inFlight -= 1;
        this.#start();
      });
    }
  }

  async #answer(batch: readonly Waiting<Question, Answer>[]): Promise<void> {
    try {
      const answers = await this.#answerAll(batch.map(({ question }) => question));
      for (const [index, { resolve, reject }] of batch.entries()) {
        const answer = answers[index];
        if (answer === undefined) reject(new Error("A question was left without an answer"));
        else resolve(answer);
      }
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }
}
