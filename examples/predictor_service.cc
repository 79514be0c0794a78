#include "predictor_service.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <sstream>
#include <thread>
#include <vector>

#include "iris_weights.h"

namespace transom::demo {

namespace {

constexpr int kScoresMax = 10'000'000;

// Softmax of the linear scores; the largest is subtracted first, so that exp cannot overflow.
void classify_iris(const google::protobuf::RepeatedField<float>& features, bench::v1::PredictResponse* response) {
  std::array<float, kIrisSpecies.size()> scores;
  for (size_t i = 0; i < scores.size(); ++i) {
    scores[i] = kIrisSpecies[i].intercept;
    for (int j = 0; j < features.size(); ++j) {
      scores[i] += kIrisSpecies[i].weights[static_cast<size_t>(j)] * features[j];
    }
  }
  const auto best = std::max_element(scores.begin(), scores.end());
  response->set_label(kIrisSpecies[static_cast<size_t>(best - scores.begin())].name);
  const float highest = *best;
  float sum = 0;
  for (float& score : scores) {
    score = std::exp(score - highest);
    sum += score;
  }
  for (const float score : scores) {
    response->add_scores(score / sum);
  }
}

std::vector<std::string> split_words(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> words;
  for (std::string word; stream >> word;) {
    words.push_back(word);
  }
  if (words.empty()) words.emplace_back("token");
  return words;
}

}  // namespace

PredictorService::PredictorService(std::chrono::milliseconds delay)
    : replica_(std::to_string(getpid())), delay_(delay) {}

bool PredictorService::wait(grpc::ServerContext* call, std::chrono::microseconds time, const char* rpc) const {
  constexpr std::chrono::microseconds kStep = std::chrono::milliseconds(5);
  const auto end = std::chrono::steady_clock::now() + time;
  for (auto now = std::chrono::steady_clock::now(); now < end; now = std::chrono::steady_clock::now()) {
    if (call->IsCancelled()) break;
    std::this_thread::sleep_for(std::min<std::chrono::nanoseconds>(kStep, end - now));
  }
  if (!call->IsCancelled()) return true;
  std::fprintf(stderr, "cancelled %s\n", rpc);
  return false;
}

bool PredictorService::begin(grpc::ServerContext* call, const char* rpc) const {
  call->AddInitialMetadata("x-demo-replica", replica_);
  if (delay_.count() == 0) return true;
  std::fprintf(stderr, "began %s\n", rpc);
  return wait(call, delay_, rpc);
}

grpc::Status PredictorService::Predict(grpc::ServerContext* call, const bench::v1::PredictRequest* request,
                                       bench::v1::PredictResponse* response) {
  if (!begin(call, "Predict")) return grpc::Status::CANCELLED;
  const auto start = std::chrono::steady_clock::now();
  if (const auto asked = request->params().find("scores"); asked != request->params().end()) {
    const std::string& text = asked->second;
    int count = 0;
    const auto parsed = std::from_chars(text.data(), text.data() + text.size(), count);
    if (parsed.ec != std::errc() || parsed.ptr != text.data() + text.size() || count < 0 || count > kScoresMax) {
      return {grpc::StatusCode::INVALID_ARGUMENT, "params.scores: expected a number of scores, found " + text};
    }
    response->mutable_scores()->Reserve(count);
    for (int i = 0; i < count; ++i) {
      response->add_scores(static_cast<float>(i) / 8.0F);
    }
  } else if (request->features_size() == static_cast<int>(kIrisSpecies[0].weights.size())) {
    classify_iris(request->features(), response);
  } else {
    *response->mutable_scores() = request->features();
  }
  const auto taken = std::chrono::steady_clock::now() - start;
  response->set_latency_us(std::chrono::duration_cast<std::chrono::microseconds>(taken).count());
  return grpc::Status::OK;
}

grpc::Status PredictorService::Echo(grpc::ServerContext* call, const bench::v1::EchoMessage* request,
                                    bench::v1::EchoMessage* response) {
  if (!begin(call, "Echo")) return grpc::Status::CANCELLED;
  *response = *request;
  return grpc::Status::OK;
}

grpc::Status PredictorService::Generate(grpc::ServerContext* call, const bench::v1::GenerateRequest* request,
                                        grpc::ServerWriter<bench::v1::Token>* writer) {
  if (!begin(call, "Generate")) return grpc::Status::CANCELLED;
  const std::vector<std::string> words = split_words(request->prompt());
  bench::v1::Token token;
  for (int i = 0; i < request->n(); ++i) {
    if (i > 0 && !wait(call, std::chrono::microseconds(request->interval_us()), "Generate")) {
      return grpc::Status::CANCELLED;
    }
    token.set_text(words[static_cast<size_t>(i) % words.size()]);
    token.set_index(i);
    if (!writer->Write(token)) {
      std::fprintf(stderr, "cancelled Generate\n");
      return grpc::Status::CANCELLED;
    }
  }
  return grpc::Status::OK;
}

}  // namespace transom::demo
