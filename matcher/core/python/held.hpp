// An engine that Python holds: one call at a time, and faults of the core as Python's exceptions.
//
// A call reserves its engine: a concurrent call from a second thread gets an error. While the engine works,
// other Python threads run. Every refusal becomes a `Fault(kind, …)`, which matcher/compiled/errors.py
// converts into an error.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>

#include <atomic>
#include <memory>
#include <optional>
#include <type_traits>

#include "python/read_program.hpp"

namespace hornbook {

namespace nb = nanobind;

// A column of 64-bit integers: bytes, or another buffer. Throws Malformed.
struct Column {
    using Buffer = nb::ndarray<const std::int64_t, nb::ndim<1>, nb::device::cpu>;
    nb::object bytes;
    Buffer buffer;
    const std::int64_t* cells = nullptr;
    std::size_t size = 0;
    std::int64_t stride = 1;

    explicit Column(nb::handle source) {
        if (PyBytes_Check(source.ptr())) {  // much faster than as any buffer
            const auto length = static_cast<std::size_t>(PyBytes_GET_SIZE(source.ptr()));
            if (length % sizeof(std::int64_t) != 0) {
                throw Malformed();
            }
            bytes = nb::borrow(source);
            cells = reinterpret_cast<const std::int64_t*>(PyBytes_AS_STRING(source.ptr()));
            size = length / sizeof(std::int64_t);
            return;
        }
        if (!nb::try_cast(source, buffer, false)) {
            throw Malformed();
        }
        cells = buffer.data();
        size = buffer.shape(0);
        stride = buffer.stride(0);
    }
    [[nodiscard]] std::int64_t operator[](std::size_t row) const { return cells[static_cast<std::int64_t>(row) * stride]; }
};

// The class hornbook.matcher._core.Fault.
inline PyObject* fault_class = nullptr;

template <class... Values>
[[noreturn]] void raise_fault(const char* kind, Values&&... values) {
    const nb::tuple arguments = nb::make_tuple(kind, std::forward<Values>(values)...);
    PyErr_SetObject(fault_class, arguments.ptr());
    throw nb::python_error();
}

inline nb::object python_fact(const Fact& fact) {
    return python_fact(fact.predicate, fact.cells.data(), fact.cells.size());
}

// The kind and the values of the fault that `call` throws.
template <class Call>
nb::tuple fault_of(Call&& call) {
    try {
        call();
    } catch (const Malformed&) {
        return nb::make_tuple("malformed");
    } catch (const RefusedProgram&) {
        return nb::make_tuple("refused");
    } catch (const KeyConflict& conflict) {
        return nb::make_tuple("key", python_fact(conflict.first), python_fact(conflict.second));
    } catch (const OverfullSet& overfull) {
        return nb::make_tuple("overfull", python_fact(overfull.count), overfull.members);
    } catch (const Overflow& overflow) {
        return nb::make_tuple("overflow", overflow.rule,
                              python_values(overflow.values, overflow.known, overflow.known.size()), overflow.added);
    } catch (const TooLarge& large) {
        return nb::make_tuple("large", large.of_what, large.most);
    } catch (const TooManyFacts& facts) {
        return nb::make_tuple("facts", facts.most);
    } catch (const TooManyBytes&) {
        return nb::make_tuple("bytes");
    } catch (const TooManySeconds&) {
        return nb::make_tuple("seconds");
    } catch (const Interrupted&) {
        throw nb::python_error();
    }
    return nb::tuple();
}

// Run a call that may fail, and convert exceptions of the core into Python's.
template <class Call>
auto translated(Call&& call) {
    const auto raise = [](const nb::tuple& fault) {
        if (fault.size() != 0) {
            PyErr_SetObject(fault_class, fault.ptr());
            throw nb::python_error();
        }
    };
    if constexpr (std::is_void_v<decltype(call())>) {
        raise(fault_of(call));
    } else {
        std::optional<decltype(call())> result;
        raise(fault_of([&] { result.emplace(call()); }));
        return std::move(*result);
    }
}

// An engine, and whether a call is active.
struct Held {
    Engine engine;
    std::atomic_flag is_busy = ATOMIC_FLAG_INIT;
    // The number of facts at the last test whether to stop: for threads that wait.
    std::atomic<std::uint64_t> facts_so_far = 0;
    Held(Bounds bounds, Statistics statistics, Capacity capacity) : engine(bounds, std::move(statistics), capacity) {
        engine.clock.is_interrupted = [this, last = std::chrono::steady_clock::now()]() mutable {
            constexpr auto STRIDE = std::chrono::milliseconds(20);
            const auto now = std::chrono::steady_clock::now();
            if (now - last < STRIDE) {
                return false;
            }
            last = now;
            facts_so_far.store(engine.facts().count(), std::memory_order_relaxed);
            const nb::gil_scoped_acquire python;
            return PyErr_CheckSignals() != 0;
        };
    }
};

class Hold {
public:
    explicit Hold(Held& held) : held_(held) {
        if (held.is_busy.test_and_set(std::memory_order_acquire)) {
            raise_fault("busy");
        }
    }
    Hold(const Hold&) = delete;
    Hold& operator=(const Hold&) = delete;
    ~Hold() { held_.is_busy.clear(std::memory_order_release); }

private:
    Held& held_;
};


inline nb::object python_derivation(const Derivation& derivation) {
    return nb::make_tuple(derivation.rule,
                          python_values(derivation.values, derivation.known, derivation.values.size()),
                          python_premises(derivation.premises));
}

// The rule and the binding of a derivation.
inline nb::object python_binding(const Derivation& derivation) {
    return nb::make_tuple(derivation.rule, python_values(derivation.values, derivation.known, derivation.values.size()));
}

// Facts given as columns of each predicate.
inline void read_columns(nb::handle source, const ProgramReader& reader, const Relations& relations, Group& rows) {
    if (source.is_none()) {
        return;
    }
    for (const auto& [number, columns] : nb::cast<nb::dict>(source)) {
        Rows part;
        part.predicate = reader.predicate(number);
        const std::uint32_t arity = relations[part.predicate]->arity();
        std::vector<Column> arrays;
        for (const nb::handle column : columns) {
            arrays.emplace_back(column);
        }
        if (arrays.size() != arity || arity == 0) {
            throw Malformed();
        }
        part.count = arrays[0].size;
        part.cells.resize(part.count * arity);
        for (std::uint32_t column = 0; column < arity; ++column) {
            if (arrays[column].size != part.count) {
                throw Malformed();
            }
            for (std::size_t row = 0; row < part.count; ++row) {
                part.cells[row * arity + column] = arrays[column][row];
            }
        }
        rows.push_back(std::move(part));
    }
}

// Every `stride`-th of some cells as the bytes of a column, plus a number.
inline nb::bytes python_column(const std::int64_t* cells, std::size_t count, std::size_t stride, std::int64_t more = 0) {
    nb::bytes result(nullptr, count * sizeof(std::int64_t));
    auto* to = reinterpret_cast<std::int64_t*>(PyBytes_AS_STRING(result.ptr()));
    for (std::size_t row = 0; row < count; ++row) {
        to[row] = cells[row * stride] + more;
    }
    return result;
}

using HeldPointer = std::shared_ptr<Held>;

// The methods of States (bind_states.cpp).
void bind_states(nb::module_& module);

}  // namespace hornbook
