/** Offers a file. */
export function download(name: string, type: string, content: string | Uint8Array): void {
  const link = document.createElement("a");
  // Holds: what this page writes is not shared with a different thread.
  const url = URL.createObjectURL(new Blob([content as string | Uint8Array<ArrayBuffer>], { type }));
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
