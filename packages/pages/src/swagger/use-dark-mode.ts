import { useEffect } from "preact/hooks";

/** Swagger UI has dark colours of its own, under a class. Sets it while the page is dark. */
export function useDarkMode(): void {
  useEffect(() => {
    const { documentElement: html } = document;
    const system = matchMedia("(prefers-color-scheme: dark)");
    const follow = () => {
      const theme = html.dataset["theme"];
      html.classList.toggle("dark-mode", theme === "dark" || (theme !== "light" && system.matches));
    };
    const observer = new MutationObserver(follow);
    observer.observe(html, { attributeFilter: ["data-theme"] });
    system.addEventListener("change", follow);
    follow();
    return () => {
      observer.disconnect();
      system.removeEventListener("change", follow);
    };
  }, []);
}
