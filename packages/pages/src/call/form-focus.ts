/** Moves the focus to the first place with an error, if there is one. */
export function focusWrong(form: HTMLElement | null): boolean {
  const wrong = form?.querySelector<HTMLElement>("[aria-invalid=true], .group.wrong");
  wrong?.focus();
  return wrong !== null && wrong !== undefined;
}

/** Whether the start of an element is not on screen, or so low that little of it is. */
export function isOutOfSight(element: HTMLElement | null): boolean {
  const top = element?.getBoundingClientRect().top ?? 0;
  return top < 0 || top > innerHeight * 0.75;
}
