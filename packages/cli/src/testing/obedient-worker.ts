// A worker that reports when it is ready. On "stop" it exits with the number of orders before it.
let orders = 0;
process.on("message", (order) => {
  if (order === "stop") process.exit(orders);
  orders += 1;
});
process.send?.(process.env.LONGHAUL_WORKER_SIMULATOR === "http://simulator" ? "ready" : "no simulator");
