import { useEffect, useRef } from "react";

/** The composers on the page, by channel or root message: functions that insert into them. */
const composers = new Map<string, (text: string) => void>();

/** Lets messages be quoted in a composer. */
export function useQuotes(key: string, insertLines: (text: string) => void): void {
  const insert = useRef(insertLines);
  useEffect(() => {
    insert.current = insertLines;
  });
  useEffect(() => {
    const quote = (text: string) => insert.current(text);
    composers.set(key, quote);
    return () => {
      if (composers.get(key) === quote) composers.delete(key);
    };
  }, [key]);
}

/** Puts a text as a quote into the composer of a channel or thread, if it is on the page. */
export function quote(key: string, text: string): void {
  composers.get(key)?.(quoteOf(text));
}

/** A text as a quote in Markdown, with an empty line behind it for the answer. */
export const quoteOf = (text: string): string => `${text.trim().replace(/^/gm, "> ")}\n\n`;
