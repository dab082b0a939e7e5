import { useLocation } from "wouter";
import { texts } from "../../texts/texts.js";
import { Button } from "../../ui/look/button.js";
import { EmptyState } from "./empty-state.js";

/** The page of a URL that does not exist, or that the user may not see. */
export function NotFound() {
  const [, navigate] = useLocation();
  const labels = texts.shell;
  return (
    <EmptyState title={labels.notFound} text={labels.notFoundText}>
      <Button onClick={() => navigate("/dm")}>{texts.common.toStart}</Button>
    </EmptyState>
  );
}
