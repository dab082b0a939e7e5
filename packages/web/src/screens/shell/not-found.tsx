import { useLocation } from "wouter";
import { texts } from "../../texts/texts.js";
import { Button } from "../../ui/look/button.js";
import { EmptyState } from "./empty-state.js";

/** The page of a URL that does not exist, or that the user may not see, with the reason where there is one to tell. */
export function NotFound({ text = texts.shell.notFoundText }: { text?: string }) {
  const [, navigate] = useLocation();
  const labels = texts.shell;
  return (
    <EmptyState title={labels.notFound} text={text}>
      <Button onClick={() => navigate("/dm")}>{texts.common.toStart}</Button>
    </EmptyState>
  );
}
