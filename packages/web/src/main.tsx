import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "./app.js";
import { followFocus } from "./ui/return-focus.js";
import { applyTheme } from "./ui/use-theme.js";
import "./ui/theme.css";

const root = document.getElementById("root");
if (root === null) throw new Error("The page has no element for the application.");
applyTheme();
followFocus();
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
