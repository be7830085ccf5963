-- Sends the requests of a file, one after the other: on each line an address and a body, with a tab between them.
-- Its last line of output is JSON with what was measured.

local requests, place = {}, 0

function init(arguments)
  for line in io.lines(arguments[1]) do
    local path, body = line:match("^(%S+)\t(.*)$")
    requests[#requests + 1] = wrk.format("POST", path, { ["Content-Type"] = "application/json" }, body)
  end
end

function request()
  place = place % #requests + 1
  return requests[place]
end

function done(summary, latency, _)
  local errors = summary.errors
  local refused = errors.status
  io.write(string.format(
    '{"requests": %d, "errors": %d, "rate": %.1f, "p50": %.2f, "p99": %.2f, "most": %.2f}\n',
    summary.requests, errors.connect + errors.read + errors.write + errors.timeout + refused,
    (summary.requests - refused) / summary.duration * 1e6,
    latency:percentile(50) / 1e3, latency:percentile(99) / 1e3, latency.max / 1e3))
end
