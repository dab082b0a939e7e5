import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { Root } from "./root.js";
import { followFocus } from "./ui/return-focus.js";
import { applyLanguage, followLanguage } from "./ui/use-language.js";
import { applyTheme, followTheme } from "./ui/use-theme.js";
import "./ui/theme.css";

const root = document.getElementById("root");
if (root === null) throw new Error("The page has no element for the application.");
applyTheme();
followFocus();
followLanguage();
followTheme();
const render = () =>
  createRoot(root).render(
    <StrictMode>
      <Root />
    </StrictMode>,
  );
// Without its script the language stays English. Not awaited: a module that waits is one whose chunks cannot be merged.
applyLanguage().then(render, render);
