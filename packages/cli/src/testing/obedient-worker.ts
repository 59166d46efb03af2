// A worker that says when it is ready, and ends with the number of orders that it got before it was told to stop.
let orders = 0;
process.on("message", (order) => {
  if (order === "stop") process.exit(orders);
  orders += 1;
});
process.send?.(process.env.LONGHAUL_WORKER_SIMULATOR === "http://simulator" ? "ready" : "not told");
