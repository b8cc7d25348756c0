// Preloaded into a service: on SIGUSR2, it keeps more and more objects, as a leak does.
const kept = [];

process.on("SIGUSR2", () => {
  const leak = () => {
    for (let count = 0; count < 50_000; count += 1) kept.push({ count, text: `kept ${kept.length}` });
    setImmediate(leak);
  };
  leak();
});
